// Philox4x32-10 (Salmon et al., SC'11): four 32-bit words that depend on a counter and a key alone.

struct Philox {
  u32 word[4];
};
GPY_FN Philox philox_block(u64 counter, u64 key) {
  u32 a = u32(counter), b = u32(counter >> 32), c = 0, d = 0;
  u32 k = u32(key), l = u32(key >> 32);
  for (int round = 0; round < 10; ++round) {
    u64 first = u64(0xD2511F53u) * a, second = u64(0xCD9E8D57u) * c;
    a = u32(second >> 32) ^ b ^ k;
    b = u32(second);
    c = u32(first >> 32) ^ d ^ l;
    d = u32(first);
    k += 0x9E3779B9u;
    l += 0xBB67AE85u;
  }
  Philox result;
  result.word[0] = a;
  result.word[1] = b;
  result.word[2] = c;
  result.word[3] = d;
  return result;
}
GPY_FN u64 philox(u64 counter, u64 key) {
  Philox block = philox_block(counter, key);
  return u64(block.word[1]) << 32 | block.word[0];
}
GPY_FN u64 philox_second(u64 counter, u64 key) {
  Philox block = philox_block(counter, key);
  return u64(block.word[3]) << 32 | block.word[2];
}
// Numbers in [0, 1), every one a multiple of 2^-53 or 2^-24.
GPY_FN f64 uniform_double(u64 bits) { return f64(bits >> 11) * 1.1102230246251565e-16; }
GPY_FN f32 uniform_float(u64 bits) { return f32(u32(bits >> 40)) * 5.9604644775390625e-8f; }
