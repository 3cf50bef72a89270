import { UnfitFileError } from '../../../model/unfit-file.ts'

/** A file of the guard cannot be used: the message names the file and the reason. */
export class GuardFileError extends UnfitFileError {
  /** The flag that names the file, for people. */
  readonly flag: string

  constructor(flag: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.flag = flag
  }
}
