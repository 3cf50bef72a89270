/** Why a store cannot open, as one line for the operator: the setting, its value, the reason and the remedy. */

import { isHBaseError } from '../../model/errors.ts'
import { codeOf, firstLineOf } from '../failures/error-code.ts'
import { StartError } from '../failures/start-error.ts'
import { openFilesRefusal } from '../machine/open-files.ts'
import type { NameSetting } from '../settings/setting-names.ts'
import { KeyStoreError } from './key-stores/key-store-error.ts'

const FOLDER_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: "this user's quota of the disk is used up",
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
  ENOENT: 'the folder cannot be made',
}

/** A store could not be opened. A bug keeps its stack. */
export function storeFailure(error: unknown, nameOf: NameSetting): unknown {
  if (error instanceof KeyStoreError)
    return new StartError(`${error.key}: ${error.message}`, { cause: error })
  if (!isHBaseError(error)) return error
  const failure = (reason: string): StartError =>
    new StartError(`${nameOf('store')}: ${reason}`, { cause: error })
  if (error.code === 'UNAVAILABLE') {
    return failure(
      `${error.message}; end that process, or choose another folder with --store native:DIRECTORY`,
    )
  }
  const refusal = openFilesRefusal(error.cause)
  if (refusal !== undefined) return failure(`${refusal} (${firstLineOf(error.cause)})`)
  const reason = FOLDER_REASONS[codeOf(error.cause) ?? '']
  if (reason === undefined) return failure(error.message)
  return failure(
    `${reason} (${firstLineOf(error.cause)}); choose another folder with --store native:DIRECTORY`,
  )
}
