/** Compares a comparator's own value with bytes[offset, offset + length). HBase: ByteArrayComparable. */
export interface ComparatorEvaluator {
  /** Negative: its own value is less than the bytes; 0: it matches; positive: its value is greater, or it does not match. */
  compare(bytes: Buffer, offset: number, length: number): number
}
