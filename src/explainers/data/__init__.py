"""Datasets: functions beside an article, their runs, and what a page may read of them."""
