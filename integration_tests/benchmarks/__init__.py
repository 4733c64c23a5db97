"""Measurements on a fresh stack of embedded servers, with durability on."""
