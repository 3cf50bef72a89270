import type { HBaseError } from './errors.ts'

/** A message that a user understands. HBase's own message for a missing or existing table is the table's name alone. */
export function plainMessage({ code, message }: HBaseError): string {
  if (!/^[\w.:-]+$/.test(message)) return message
  if (code === 'TABLE_NOT_FOUND') return `there is no table ${message}`
  if (code === 'TABLE_EXISTS') return `there is a table ${message} already`
  if (code === 'NAMESPACE_NOT_FOUND') return `there is no namespace ${message}`
  return message
}
