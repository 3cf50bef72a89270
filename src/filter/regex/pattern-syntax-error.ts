import { HBaseError } from '../../model/errors.ts'

/** What Java's PatternSyntaxException says of a pattern, with the place in it. */
export function patternSyntaxError(description: string, pattern: string, index: number): HBaseError {
  const caret = index >= 0 && index < pattern.length ? `\n${' '.repeat(index)}^` : ''
  const place = index >= 0 ? ` near index ${index}` : ''
  return new HBaseError('ILLEGAL_ARGUMENT', `${description}${place}\n${pattern}${caret}`, {
    detail: { javaClass: 'java.util.regex.PatternSyntaxException', description, index, pattern },
  })
}
