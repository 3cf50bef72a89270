import { UnfitFileError } from '../../../model/unfit-file.ts'

/** A file of logins or groups cannot be used. The message names the file and the reason. */
export class GuardFileError extends UnfitFileError {
  /** The flag that states the file, for people. */
  readonly flag: string

  constructor(flag: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.flag = flag
  }
}
