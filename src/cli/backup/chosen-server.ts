/** The server whose backups a restore takes, where a destination has those of several. */

import type { NamedBackup } from '../../backup/destination.ts'
import { timeText } from '../../backup/times.ts'

/** One server: its store may have been backed up under several names. */
interface Server {
  readonly clusterId: string
  readonly names: ReadonlySet<string>
  readonly backups: readonly NamedBackup[]
}

/**
 * The backups of one server, the oldest first. `server`: its name, as `list` shows it, or its cluster id; undefined: there is only one. Throws an Error
 * where it is not clear which one is meant.
 */
export function backupsOfServer(
  folder: string,
  sound: readonly NamedBackup[],
  server: string | undefined,
): readonly NamedBackup[] {
  const all = serversOf(sound)
  const found =
    server === undefined
      ? all
      : all.filter(({ clusterId, names }) => clusterId === server || names.has(server))
  if (found.length === 1) return found[0]!.backups
  if (all.length === 0) return []
  if (server === undefined)
    throw new Error(
      `${folder} has backups of ${all.length} servers: say which one by --server NAME, or which backup by --backup: ${textOf(all)}`,
    )
  if (found.length === 0) throw new Error(`${folder} has no backup of ${server}, but of ${textOf(all)}`)
  throw new Error(
    `${found.length} servers in ${folder} have had the name ${server}: say which one by its cluster id: ${textOf(found)}`,
  )
}

function serversOf(sound: readonly NamedBackup[]): Server[] {
  return [...new Set(sound.map(({ backup }) => backup.clusterId))].map((clusterId) => {
    const backups = sound.filter(({ backup }) => backup.clusterId === clusterId)
    return { clusterId, names: new Set(backups.map(({ backup }) => backup.server)), backups }
  })
}

function textOf(servers: readonly Server[]): string {
  const texts = servers.map(({ clusterId, backups }) => {
    const { server, at } = backups.at(-1)!.backup
    return `${server} (cluster id ${clusterId}, last backup ${timeText(at)})`
  })
  return texts.join('; ')
}
