/**
 * Returns the value of a key, and computes and keeps it the first time: `Map.prototype.getOrInsertComputed`, which Node 24 lacks.
 * `compute` may add other keys to the map.
 */
export function getOrCompute<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  compute: (key: Key) => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as Value;
  const value = compute(key);
  map.set(key, value);
  return value;
}
