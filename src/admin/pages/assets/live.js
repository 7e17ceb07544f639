// Says on a list that something newer is there; without this script the page is loaded again by hand.
