// Replaced by the command line client.
