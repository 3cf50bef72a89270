import { HBaseError, isHBaseError } from '../../../model/errors.ts'

const JACKSON = 'com.fasterxml.jackson'

type JacksonException =
  | 'core.JsonParseException'
  | 'databind.JsonMappingException'
  | 'databind.exc.UnrecognizedPropertyException'
  | 'databind.exc.MismatchedInputException'
  | 'databind.exc.InvalidFormatException'

/** A body that Jackson would refuse, with the name of its exception. */
export class MalformedDocument extends HBaseError {
  constructor(exception: JacksonException, message: string, cause?: unknown) {
    super('ILLEGAL_ARGUMENT', message, { javaClass: `${JACKSON}.${exception}`, cause })
  }
}

/** Returns the result of `read`. Throws MalformedDocument with this exception for a body that is not JSON. */
export function readJson<Document>(
  read: () => Document,
  exception: JacksonException = 'core.JsonParseException',
): Document {
  try {
    return read()
  } catch (error) {
    if (isHBaseError(error) && error.code === 'CORRUPTION')
      throw new MalformedDocument(exception, error.message, error)
    throw error
  }
}
