import { HBaseError } from '../../../model/errors.ts'

/**
 * Returns an argument, or a field of one, that the client must send. Throws ILLEGAL_ARGUMENT where it is missing. Thrift 1's IDL declares
 * nothing as required: HBase's gateway fails with a NullPointerException at a missing one, and changes nothing.
 */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new HBaseError('ILLEGAL_ARGUMENT', `${name} is missing`)
  return value
}
