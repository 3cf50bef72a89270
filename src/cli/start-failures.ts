/** Why a server cannot start, as one line for a person: the setting, its value, the reason and what to do. */

import { isHBaseError } from '../model/errors.ts'
import { messageOf } from '../model/message-of.ts'
import { urlHost } from './bind-address.ts'
import type { DoorName } from './door-ports.ts'
import { openFilesRefusal } from './open-files.ts'
import type { NameSetting } from './setting-names.ts'
import { StartError } from './start-error.ts'

interface Binding {
  readonly door: DoorName
  readonly host: string
  readonly port: number
  /** The door of this server that already has the port. */
  readonly rival?: DoorName | undefined
  /** Doors of this server whose ports other programs have, too. */
  readonly others?: readonly (readonly [DoorName, number])[]
}

export function isPortInUse(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE'
}

/** A door could not listen, or not serve what is in the store. A bug keeps its stack. */
export function doorFailure(error: unknown, binding: Binding, nameOf: NameSetting): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const { door, host, port } = binding
  const address = `${urlHost(host)}:${port}`
  const told = (setting: 'host' | DoorName, reason: string): StartError =>
    new StartError(`${nameOf(setting)}: ${reason}`, { cause: error })
  if (isHBaseError(error)) return told(door, error.message)
  const refusal = openFilesRefusal(error)
  if (refusal !== undefined) return told(door, refusal)
  switch (code) {
    case 'EADDRINUSE': {
      const { rival, others = [] } = binding
      const holder = rival === undefined ? 'another program listens there' : `the door ${rival} has this port`
      return told(
        door,
        `${address} is in use: ${holder}; choose another port with --${door} PORT (0 takes a free one)${alsoInUse(others)}`,
      )
    }
    case 'EACCES':
    case 'EPERM':
      return told(door, `this user may not listen on ${address}; choose a port from 1024 with --${door} PORT`)
    case 'EADDRNOTAVAIL':
      return told('host', 'this machine has no such address; give one that it has, such as 127.0.0.1')
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return told('host', 'this name has no address here; give an IP address, such as 127.0.0.1')
    default:
      return told(door, `cannot listen on ${address}: ${firstLineOf(error)}`)
  }
}

function alsoInUse(doors: readonly (readonly [DoorName, number])[]): string {
  if (doors.length === 0) return ''
  return `. Also in use: ${doors.map(([door, port]) => `--${door} ${port}`).join(', ')}`
}

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
  if (!isHBaseError(error)) return error
  const told = (reason: string): StartError =>
    new StartError(`${nameOf('store')}: ${reason}`, { cause: error })
  if (error.code === 'UNAVAILABLE') {
    return told(`${error.message}; end that process, or choose another folder with --store native:DIRECTORY`)
  }
  const refusal = openFilesRefusal(error.cause)
  if (refusal !== undefined) return told(`${refusal} (${firstLineOf(error.cause)})`)
  const reason = FOLDER_REASONS[codeOf(error.cause) ?? '']
  if (reason === undefined) return told(error.message)
  return told(`${reason} (${firstLineOf(error.cause)}); choose another folder with --store native:DIRECTORY`)
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}

function firstLineOf(error: unknown): string {
  return messageOf(error).split('\n')[0]!
}
