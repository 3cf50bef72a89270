import { HBaseError } from '../../../model/errors.ts'

/** A request that names several users where one is meant. */
export class UnclearLogin extends HBaseError {
  constructor(reason: string) {
    super('ILLEGAL_ARGUMENT', reason)
  }
}
