-- In EUR: up to how much of a payment is reported at first sight.
ALTER TABLE businesses ADD COLUMN instant_deposit_limit TEXT;
