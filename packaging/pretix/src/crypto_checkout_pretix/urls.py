from pretix.multidomain import event_path

from .views import back, webhook

# Also of an event that is not open yet, or no longer: late money counts.
event_patterns = [
    event_path("crypto-checkout/webhook/", webhook, name="webhook", require_live=False),
    event_path("crypto-checkout/back/<str:order>/<str:secret>/<int:payment>/", back, name="back", require_live=False),
]
