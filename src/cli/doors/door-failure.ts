/** Why a door cannot open, as one line for the operator: the setting, its value, the reason and the remedy. */

import { isHBaseError } from '../../model/errors.ts'
import { codeOf, firstLineOf } from '../failures/error-code.ts'
import { StartError } from '../failures/start-error.ts'
import { urlHost } from '../flags/bind-address.ts'
import { openFilesRefusal } from '../machine/open-files.ts'
import type { DoorName } from '../settings/door-ports.ts'
import type { NameSetting } from '../settings/setting-names.ts'

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
  const failure = (setting: 'host' | DoorName, reason: string): StartError =>
    new StartError(`${nameOf(setting)}: ${reason}`, { cause: error })
  if (isHBaseError(error)) return failure(door, error.message)
  const refusal = openFilesRefusal(error)
  if (refusal !== undefined) return failure(door, refusal)
  switch (code) {
    case 'EADDRINUSE': {
      const { rival, others = [] } = binding
      const holder = rival === undefined ? 'another program listens there' : `the door ${rival} has this port`
      return failure(
        door,
        `${address} is in use: ${holder}; choose another port with --${door} PORT (0 takes a free one)${alsoInUse(others)}`,
      )
    }
    case 'EACCES':
    case 'EPERM':
      return failure(
        door,
        `this user may not listen on ${address}; choose a port from 1024 with --${door} PORT`,
      )
    case 'EADDRNOTAVAIL':
      return failure('host', 'this machine has no such address; give one that it has, such as 127.0.0.1')
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failure('host', 'this name has no address here; give an IP address, such as 127.0.0.1')
    default:
      return failure(door, `cannot listen on ${address}: ${firstLineOf(error)}`)
  }
}

function alsoInUse(doors: readonly (readonly [DoorName, number])[]): string {
  if (doors.length === 0) return ''
  return `. Also in use: ${doors.map(([door, port]) => `--${door} ${port}`).join(', ')}`
}
