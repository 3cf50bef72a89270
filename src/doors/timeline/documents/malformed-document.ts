import { HBaseError, isHBaseError } from '../../../model/errors.ts'

const JACKSON = 'com.fasterxml.jackson'

type JacksonException =
  | 'core.JsonParseException'
  | 'databind.JsonMappingException'
  | 'databind.exc.UnrecognizedPropertyException'
  | 'databind.exc.MismatchedInputException'
  | 'databind.exc.InvalidFormatException'

/** A body that Jackson would not take, by the name of its exception. */
export class MalformedDocument extends HBaseError {
  constructor(exception: JacksonException, message: string, cause?: unknown) {
    super('ILLEGAL_ARGUMENT', message, { javaClass: `${JACKSON}.${exception}`, cause })
  }
}

/** What `read` makes of a body. Throws MalformedDocument with this exception for what is no JSON. */
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
