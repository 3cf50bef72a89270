import { GuardFileError } from '../../files/guard-file-error.ts'

export class TokenKeysError extends GuardFileError {
  constructor(message: string, options?: ErrorOptions) {
    super('the keys of tokens', message, options)
  }
}
