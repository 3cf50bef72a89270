import { HBaseError } from '../../../src/model/errors.ts'

/** CORRUPTION with the evidence: the file, the offset, the expected value and the found one. */
export function corruptFile(
  path: string,
  offset: number,
  what: string,
  expected: string | number,
  found: string | number,
  cause?: unknown,
): HBaseError {
  return new HBaseError(
    'CORRUPTION',
    `corrupt HFile ${path}: ${what} at offset ${offset}: expected ${expected}, found ${found}`,
    { detail: { path, offset, expected, found }, cause },
  )
}
