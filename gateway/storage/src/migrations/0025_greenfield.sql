-- Shops that speak BTCPay Server's Greenfield API: their webhooks, as JSON; NULL where they are not answered.
ALTER TABLE businesses ADD COLUMN greenfield TEXT;
