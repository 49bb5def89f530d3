// To be replaced by the first real file of this module.
