import { HBaseError } from '../../../src/model/errors.ts'

/** The error for a missing store file that the manifest names. */
export function missingFile(path: string, cause: unknown): HBaseError {
  return new HBaseError('CORRUPTION', `store file ${path} is missing`, { detail: { path, offset: 0 }, cause })
}
