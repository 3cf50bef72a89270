/** The password file: a line `NAME:PASSWORD` for each user. PASSWORD has the form of passwords.ts. */

import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Logger } from 'pino'
import { reasonOf } from '../../../../model/error-reason.ts'
import { atOnce, isStepEnd, type Steps } from '../../../../model/steps.ts'
import { GuardFileError } from '../../files/guard-file-error.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { RereadFile } from '../../files/reread-file.ts'
import { parseStoredPassword, type StoredPassword, storedPassword } from './passwords.ts'

const NAME_BYTES_MAX = 255
/** No colon, which parts name and password in HTTP Basic, and no `@` at the beginning, which marks a group in permissions of HBase. */
const NAME = /^[^\p{Cc}:@#\s][^\p{Cc}:\s]*$/u

export type Users = ReadonlyMap<string, StoredPassword>

/** The password file cannot be used. The message also names the line. */
export class UsersFileError extends GuardFileError {
  constructor(message: string, options?: ErrorOptions) {
    super('--users', message, options)
  }
}

export function isUserName(name: string): boolean {
  return NAME.test(name) && Buffer.byteLength(name) <= NAME_BYTES_MAX
}

/** Throws UsersFileError. */
export function readUsers(path: string): Users {
  return atOnce(usersIn(textOf(path), path))
}

/** The users in the text, in steps. */
function* usersIn(text: string, path: string): Steps<Users> {
  const users = new Map<string, StoredPassword>()
  for (const [index, line] of text.split('\n').entries()) {
    if (isStepEnd(index)) yield
    if (line === '' || line.startsWith('#')) continue
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    const password = colon < 0 ? undefined : parseStoredPassword(line.slice(colon + 1).trimEnd())
    const place = `${path}: line ${index + 1}`
    if (password === undefined || !isUserName(name))
      throw new UsersFileError(`${place} is not NAME:PASSWORD as "tidegate user add" writes it`)
    if (users.has(name)) throw new UsersFileError(`${place} names a user who is there already`)
    users.set(name, password)
  }
  return users
}

/** Adds the user, or replaces the password; true where the user was there before. Throws UsersFileError. */
export async function writeUser(path: string, name: string, password: string): Promise<boolean> {
  const wasThere = textOf(path, '')
    .split('\n')
    .some((line) => line.startsWith(`${name}:`))
  const lines = linesWithout(path, name)
  replace(path, [...lines, `${name}:${await storedPassword(password)}`])
  return wasThere
}

/** Removes the user; false where there is none. Throws UsersFileError. */
export function removeUser(path: string, name: string): boolean {
  if (!readUsers(path).has(name)) return false
  replace(path, linesWithout(path, name))
  return true
}

/** The lines of the file without those of the user, but with comments. */
function linesWithout(path: string, name: string): string[] {
  const text = textOf(path, '')
  if (text !== '') readUsers(path)
  return text.split('\n').filter((line) => line !== '' && !line.startsWith(`${name}:`))
}

function replace(path: string, lines: readonly string[]): void {
  try {
    // A server takes an empty file for one that is being written.
    const kept = lines.length === 0 ? ['# no users'] : lines
    replaceFile(path, kept.map((line) => `${line}\n`).join(''))
  } catch (error) {
    throw new UsersFileError(`${path} cannot be written (${reasonOf(error)})`, { cause: error })
  }
}

function textOf(path: string, ifMissing?: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT'
    if (ifMissing !== undefined && isMissing) return ifMissing
    if (isMissing) {
      const message = `there is no file ${path}: make it with "tidegate user add NAME --users ${path}"`
      throw new UsersFileError(message, { cause: error })
    }
    const remedy = code === 'EACCES' || code === 'EPERM' ? remedyOfRights(path) : ''
    throw new UsersFileError(`${path} cannot be read (${reasonOf(error)})${remedy}`, { cause: error })
  }
}

function remedyOfRights(path: string): string {
  const account = accountName()
  return `: where ${account} is the account of the server, "chown ${account} ${path}"; its folder must let ${account} in, too`
}

/** The account of this process: its name, or its number where the system knows no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.geteuid?.())
  }
}

/** The users of a file, which is read again when it changes. */
export class UsersFile {
  readonly #file: RereadFile<Users>
  #users: Users

  /** `changed`: called when the users or passwords have changed. Throws UsersFileError. */
  constructor(path: string, logger: Logger, changed: () => void, lookMs?: number) {
    this.#users = readUsers(path)
    this.#file = new RereadFile<Users>({
      path,
      read: () => textOf(path),
      parse: (text) => usersIn(text, path),
      use: (users) => {
        this.#users = users
        changed()
        logger.info({ users: users.size }, 'users read again')
      },
      refusalOf: (reason) => new UsersFileError(reason),
      consequence: 'the users stay as they were, and removed ones may still come in',
      logger,
      lookMs,
    })
  }

  get all(): Users {
    return this.#users
  }

  get(name: string): StoredPassword | undefined {
    return this.#users.get(name)
  }

  /** The reason why the users are older than the file; undefined where they are not. */
  get trouble(): string | undefined {
    return this.#file.trouble
  }

  /** Reads the file again if it has changed. */
  look(): void {
    this.#file.look()
  }

  /** Reads the file again. */
  reload(): void {
    this.#file.reload()
  }

  close(): void {
    this.#file.close()
  }
}
