/** `tidegate user`: the password file of `--users`. */

import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import {
  isUserName,
  readUsers,
  removeUser,
  UsersFileError,
  writeUser,
} from '../../gateway/identity/guard/passwords/users-file.ts'
import { UsageError } from '../failures/usage-error.ts'
import { PASSWORD_VARIABLE } from '../remote/login-options.ts'
import { readHidden } from '../terminal/hidden-line.ts'

const PASSWORD_MIN = 8
const ROOT = 0

export function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('the users of a password file, for serve --users FILE')
    .exitOverride()
  const command = (name: string, about: string): Command =>
    user.command(name).description(about).requiredOption('--users <file>', 'the password file').exitOverride()
  command(
    'add <name>',
    'add a user, or change the password of one: the command asks for it, or reads the first line of stdin; where that is empty it is TIDEGATE_PASSWORD',
  ).action((name: string, { users }: { readonly users: string }) =>
    reportedFileErrors(() => addUser(users, name)),
  )
  command('remove <name>', 'remove a user').action((name: string, { users }: { readonly users: string }) =>
    reportedFileErrors(async () => {
      if (!removeUser(users, name)) throw new UsageError(`${users} has no user ${name}`)
      process.stdout.write(`removed ${name}\n`)
    }),
  )
  command('list', 'list the users').action(({ users }: { readonly users: string }) =>
    reportedFileErrors(async () =>
      process.stdout.write([...readUsers(users).keys()].map((name) => `${name}\n`).join('')),
    ),
  )
}

async function addUser(path: string, name: string): Promise<void> {
  if (!isUserName(name))
    throw new UsageError(
      `"${name}" is no name of a user: no colons, spaces or control characters, and no @ or # at its begin`,
    )
  // Taken from files that have such names already.
  if (/[,;]/.test(name))
    throw new UsageError(
      `"${name}" has a comma or semicolon, between which --superuser, --groups and --proxy-user have their names: no list could name this user`,
    )
  const password = await askedPassword(name)
  if (password.length < PASSWORD_MIN)
    throw new UsageError(
      `the password has ${password.length} characters; it must have ${PASSWORD_MIN} or more`,
    )
  const isNew = !existsSync(path)
  const wasThere = await writeUser(path, name, password)
  process.stdout.write(
    wasThere
      ? `${name} was in ${path} already: the password is changed\n`
      : `${path} has ${name} now: serve with --users ${path}\n`,
  )
  if (isNew && process.getuid?.() === ROOT)
    process.stdout.write(`it is root's: a server of another account needs "chown ACCOUNT ${path}" once\n`)
}

async function askedPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/)[0]! || statedPassword()
  const first = await readHidden(`password of ${name}: `)
  if ((await readHidden('once more: ')) !== first)
    throw new UsageError('the passwords differ: nothing was written')
  return first
}

/** The variable may be the caller's own login for other commands, so stdin and a terminal come first. */
function statedPassword(): string {
  const { [PASSWORD_VARIABLE]: stated = '' } = process.env
  if (stated !== '') return stated
  throw new UsageError(`there is no password: write it to stdin, or state ${PASSWORD_VARIABLE}`)
}

/** Reports failures of the password file as one line: the user can mend them. */
async function reportedFileErrors(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof UsersFileError ? new UsageError(error.message) : error
  }
}
