/**
 * An exception that the IDL declares. Handlers throw `new ThriftException('IOError', { message, canRetry })`, and the door
 * answers it in the method's `throws` field of that type.
 */
export class ThriftException extends Error {
  override readonly name = 'ThriftException'
  /** The IDL's name of the exception. */
  readonly struct: string
  readonly fields: Readonly<Record<string, unknown>>

  constructor(struct: string, fields: Readonly<Record<string, unknown>>, options?: { cause?: unknown }) {
    super(typeof fields['message'] === 'string' ? fields['message'] : struct, options)
    this.struct = struct
    this.fields = fields
  }
}
