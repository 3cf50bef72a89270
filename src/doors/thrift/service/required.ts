import { HBaseError } from '../../../model/errors.ts'

/**
 * An argument, or a field of one, that the client must send. Thrift 1 declares nothing as required: HBase's gateway fails
 * with a NullPointerException at what is missing, and changes nothing. Throws ILLEGAL_ARGUMENT.
 */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new HBaseError('ILLEGAL_ARGUMENT', `${name} is missing`)
  return value
}
