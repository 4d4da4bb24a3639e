# The language itself, no arrays.
from harness import measure


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def count_thirds(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i
    return total


def collatz(n):
    longest = 0
    for start in range(1, n):
        steps = 0
        while start != 1:
            start = start // 2 if start % 2 == 0 else 3 * start + 1
            steps += 1
        longest = max(longest, steps)
    return longest


# Position, velocity and mass of five bodies: lists of floats.
BODIES = [
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 39.478],
    [[4.841, -1.16, -0.103], [0.606, 2.811, -0.02], 0.037],
    [[8.343, 4.124, -0.403], [-1.01, 1.825, 0.008], 0.011],
    [[12.894, -15.111, -0.223], [1.082, 0.868, -0.01], 0.0017],
    [[15.379, -25.919, 0.179], [0.979, 0.594, -0.034], 0.002],
]


def n_body_lists(turns, dt=0.001):
    bodies = [[list(place), list(speed), mass] for place, speed, mass in BODIES]
    pairs = [(bodies[i], bodies[j]) for i in range(5) for j in range(i)]
    for _ in range(turns):
        for ([x1, y1, z1], v1, m1), ([x2, y2, z2], v2, m2) in pairs:
            dx = x1 - x2
            dy = y1 - y2
            dz = z1 - z2
            pull = dt * (dx * dx + dy * dy + dz * dz) ** -1.5
            b1 = m1 * pull
            b2 = m2 * pull
            v1[0] -= dx * b2
            v1[1] -= dy * b2
            v1[2] -= dz * b2
            v2[0] += dx * b1
            v2[1] += dy * b1
            v2[2] += dz * b1
        for place, speed, _mass in bodies:
            place[0] += dt * speed[0]
            place[1] += dt * speed[1]
            place[2] += dt * speed[2]
    return bodies[0][0][0]


def n_body_tuples(turns, dt=0.001):
    places = [tuple(place) for place, _, _ in BODIES]
    speeds = [tuple(speed) for _, speed, _ in BODIES]
    masses = [mass for _, _, mass in BODIES]
    for _ in range(turns):
        for i in range(5):
            x, y, z = places[i]
            u, v, w = speeds[i]
            for j in range(5):
                if i == j:
                    continue
                a, b, c = places[j]
                dx, dy, dz = x - a, y - b, z - c
                pull = dt * masses[j] * (dx * dx + dy * dy + dz * dz) ** -1.5
                u, v, w = u - dx * pull, v - dy * pull, w - dz * pull
            speeds[i] = (u, v, w)
        places = [(x + dt * u, y + dt * v, z + dt * w) for (x, y, z), (u, v, w) in zip(places, speeds)]
    return places[0][0]


class Body:
    def __init__(self, place, speed, mass):
        self.x, self.y, self.z = place
        self.u, self.v, self.w = speed
        self.mass = mass

    def move(self, dt):
        self.x += dt * self.u
        self.y += dt * self.v
        self.z += dt * self.w


def n_body_attributes(turns, dt=0.001):
    bodies = [Body(*parts) for parts in BODIES]
    pairs = [(bodies[i], bodies[j]) for i in range(5) for j in range(i)]
    for _ in range(turns):
        for one, other in pairs:
            dx = one.x - other.x
            dy = one.y - other.y
            dz = one.z - other.z
            pull = dt * (dx * dx + dy * dy + dz * dz) ** -1.5
            b1 = one.mass * pull
            b2 = other.mass * pull
            one.u -= dx * b2
            one.v -= dy * b2
            one.w -= dz * b2
            other.u += dx * b1
            other.v += dy * b1
            other.w += dz * b1
        for body in bodies:
            body.move(dt)
    return bodies[0].x


def mandelbrot(size, limit=50):
    inside = 0
    for row in range(size):
        ci = 2.0 * row / size - 1.0
        for column in range(size):
            cr = 2.0 * column / size - 1.5
            zr = zi = 0.0
            for _ in range(limit):
                square_r, square_i = zr * zr, zi * zi
                if square_r + square_i > 4.0:
                    break
                zi = 2.0 * zr * zi + ci
                zr = square_r - square_i + cr
            else:
                inside += 1
    return inside


def entry(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def spectral_norm(n):
    u = [1.0] * n
    for _ in range(2):
        v = [sum(entry(i, j) * u[j] for j in range(n)) for i in range(n)]
        u = [sum(entry(j, i) * v[j] for j in range(n)) for i in range(n)]
    product = length = 0.0
    for a, b in zip(u, v):
        product += a * b
        length += b * b
    return (product / length) ** 0.5


def sieve(n):
    is_prime = [True] * (n + 1)
    is_prime[0] = is_prime[1] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            for multiple in range(i * i, n + 1, i):
                is_prime[multiple] = False
        i += 1
    return sum(is_prime)


def build_text(n):
    lines = []
    text = ""
    for i in range(n):
        lines.append("row " + str(i) + ": " + "ab" * 3)
        text += chr(97 + i % 26)
    return len("\n".join(lines)) + len(text)


def words(n):
    counts = {}
    for i in range(n):
        key = f"k{i % 100}"
        counts[key] = counts.get(key, 0) + 1
    return counts


def letters(text):
    counts = {}
    for letter in text:
        if letter in counts:
            counts[letter] += 1
        else:
            counts[letter] = 1
    return counts


TEXT = "the quick brown fox jumps over the lazy dog " * 500
PEOPLE = [(f"name{i * 7919 % 5003}", i * 31 % 97) for i in range(5000)]
NUMBERS = [i * 7919 % 50021 for i in range(50000)]


def squares(n):
    return sum(x * x for x in (i + 1 for i in range(n)) if x % 2 == 0)


def numbers(n):
    for i in range(n):
        yield i


def evens(source):
    for x in source:
        if x % 2 == 0:
            yield x


def scaled(source, factor):
    for x in source:
        yield x * factor


def pipeline(n):
    total = 0
    for x in scaled(evens(numbers(n)), 3):
        total += x
    return total


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def dot(self, other):
        return self.x * other.x + self.y * other.y

    @property
    def size(self):
        return self.x * self.x + self.y * self.y


class Counter:
    def __init__(self):
        self.count = 0

    def step(self):
        self.count += 1
        return self

    def add(self, n=1):
        self.count += n


def method_calls(n):
    counter = Counter()
    for i in range(n):
        counter.step().step()
        counter.add()
        counter.add(i)
    return counter.count


def points(n):
    total = Point(0, 0)
    length = 0
    for i in range(n):
        point = Point(i, 1)
        total = total + point
        length += point.dot(total) + point.size
    return length


def checked(i):
    if i % 4 == 0:
        raise ValueError(i)
    return i


def count_errors(n):
    errors = total = 0
    for i in range(n):
        try:
            total += checked(i)
        except ValueError as error:
            errors += error.args[0]
    return errors, total


def count_missing(n):
    table = {i: i for i in range(0, n, 2)}
    missing = 0
    for i in range(n):
        try:
            table[i]
        except KeyError:
            missing += 1
    return missing


def never_raises(n):
    total = 0
    for i in range(n):
        try:
            total += i
        finally:
            total -= 1
    return total


def make_counter():
    count = 0

    def step(by=1):
        nonlocal count
        count += by
        return count

    return step


def count_by_closure(n):
    step = make_counter()
    for _ in range(n):
        step()
        step(2)
        step(by=3)
    return step()


def matmul(n):
    a = [[i * n + j for j in range(n)] for i in range(n)]
    b = [[row[i] for row in a] for i in range(n)]
    return [[sum([x * y for x, y in zip(row, column)]) for column in b] for row in a]


def builtins(n):
    total = 0
    values = [3, -1, 2]
    for i in range(n):
        total += abs(i - 50) + min(i, 7) + max(i, 3) + len(values) + int(1.5)
        if isinstance(total, int):
            total -= ord("a")
    return total


def edit_distance(a, b):
    before = list(range(len(b) + 1))
    for i, x in enumerate(a):
        row = [i + 1]
        for j, y in enumerate(b):
            cost = 0 if x == y else 1
            row.append(min(row[j] + 1, before[j + 1] + 1, before[j] + cost))
        before = row
    return before[-1]


def big_numbers(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a % 1000003


measure("fib(27)", lambda: fib(27))
measure("for loop of 100,000", lambda: count_thirds(100000))
measure("while loop, Collatz below 2,000", lambda: collatz(2000))
measure("n-body, lists", lambda: n_body_lists(1000))
measure("n-body, tuples", lambda: n_body_tuples(500))
measure("n-body, attributes", lambda: n_body_attributes(1000))
measure("Mandelbrot 60 x 60", lambda: mandelbrot(60))
measure("spectral norm 60", lambda: spectral_norm(60))
measure("sieve to 100,000", lambda: sieve(100000))
measure("matrix product of lists, 40", lambda: matmul(40))
measure("text of 10,000 lines", lambda: build_text(10000))
measure("dict of words, 20,000", lambda: words(20000))
measure("count of letters, 22,000", lambda: letters(TEXT))
measure("list comprehension of 100,000", lambda: [i * i for i in range(100000)])
measure("dict comprehension of 20,000", lambda: {i: str(i) for i in range(20000)})
measure("generator expressions, 50,000", lambda: squares(50000))
measure("generator pipeline, 30,000", lambda: pipeline(30000))
measure("method calls, 4 x 20,000", lambda: method_calls(20000))
measure("objects with operators, 10,000", lambda: points(10000))
measure("sort 50,000", lambda: sorted(NUMBERS))
measure("sort 5,000 by a lambda", lambda: sorted(PEOPLE, key=lambda person: (person[1], person[0])))
measure("builtins, 20,000 turns", lambda: builtins(20000))
measure("edit distance of 100 x 100", lambda: edit_distance(TEXT[:100], TEXT[7:107]))
measure("closure calls, 3 x 20,000", lambda: count_by_closure(20000))
measure("ints of 700 digits", lambda: big_numbers(3500))
measure("raise and except, 20,000", lambda: count_errors(20000))
measure("KeyErrors, 20,000", lambda: count_missing(20000))
measure("try and finally, 50,000", lambda: never_raises(50000))
