"""NumPy twin of examples/black_scholes.gpy: prints what the example must print. In float64, so that
it says what is right rather than what float32 makes of it."""
import sys
from math import erf

import numpy as np

count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000
rate, volatility = 0.02, 0.3


def spread(low, high, step):
    position = np.arange(count, dtype=np.float64) * step % 1.0
    return (low + (high - low) * position).astype(np.float32).astype(np.float64)


def error_function(x):
    return np.fromiter(map(erf, x), np.float64, len(x))


def normal_cdf(x):
    return 0.5 * (1 + error_function(x * 0.5 ** 0.5))


spot = spread(5, 30, 0.6180339887498949)
strike = spread(1, 100, 0.7548776662466927)
years = spread(0.25, 10, 0.8191725133961645)
root = volatility * np.sqrt(years)
d1 = (np.log(spot / strike) + (rate + volatility ** 2 / 2) * years) / root
discounted = strike * np.exp(-rate * years)
call = spot * normal_cdf(d1) - discounted * normal_cdf(d1 - root)
put = call - spot + discounted
print(f"{count} options, spot {spot.min():.2f} to {spot.max():.2f}")
print(f"mean call {call.mean():.4f}, mean put {put.mean():.4f}")
print(f"dearest call {call.max():.3f}, dearest put {put.max():.3f}")
print(f"in the money: {int((spot > strike).sum())}, worth under a cent: {(call < 0.01).mean():.3f}")
print("the kernel agrees:", True, True)
