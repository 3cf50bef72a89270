import { type RestDoorOptions, startRestDoor } from '../doors/rest/rest-door.ts'
import { openThriftServices } from '../doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../doors/thrift/thrift-door.ts'
import { startWebDoor } from '../doors/web/web-door.ts'
import type { Door, DoorAddress, DoorContext } from '../gateway/door.ts'
import { readOnly } from '../gateway/read-only.ts'
import { connectionShares } from './connection-shares.ts'
import { openFiles, openFilesMax } from './open-files.ts'
import { DOOR_NAMES, type DoorName, type ServeSettings } from './serve-options.ts'
import type { NameSetting } from './setting-names.ts'
import { StartError } from './start-error.ts'
import { doorFailure } from './start-failures.ts'
import { packageVersion } from './version.ts'

type Doors = ReadonlyMap<DoorName, Door>
/** `doors`: the open doors; doors that open later are added to it. */
type StartDoor = (
  context: DoorContext,
  address: DoorAddress,
  doors: Doors,
  settings: RestSettings,
) => Promise<Door>
type ShareSettings = Pick<ServeSettings, 'areConnectionsStated'>
type RestSettings = RestDoorOptions & Partial<Pick<ServeSettings, 'restReadOnly'>>

/** A new door is a folder under doors/ and a line here. */
const STARTERS: Partial<Readonly<Record<DoorName, StartDoor>>> = {
  rest: (context, address, _, settings) => {
    const store = settings.restReadOnly === true ? readOnly(context.store) : context.store
    return startRestDoor({ ...context, store }, address, settings)
  },
  thrift: (context, address) => startThriftDoor(context, address, openThriftServices(context)),
  web: (context, address, doors) => startWebDoor(context, address, { doors, version: packageVersion() }),
}

/** Opens every door that is not off. If one cannot be opened, closes the others and throws a StartError. */
export async function openDoors(
  context: DoorContext,
  settings: Pick<ServeSettings, 'host' | 'ports'> & RestSettings & Partial<ShareSettings>,
  nameOf: NameSetting = (setting) => `--${setting}`,
): Promise<Doors> {
  const { host, ports } = settings
  const doors = new Map<DoorName, Door>()
  const names = DOOR_NAMES.filter((name) => STARTERS[name] !== undefined && ports[name] !== 'off')
  const contextOf = sharedContext(context, names, settings)
  try {
    for (const name of names) {
      const port = ports[name] as number
      try {
        doors.set(name, await STARTERS[name]!(contextOf(name), { host, port }, doors, settings))
      } catch (error) {
        const rival = [...doors].find(([, door]) => door.port === port)?.[0]
        throw doorFailure(error, { door: name, host, port, rival }, nameOf)
      }
    }
    if (doors.size === 0) throw new StartError('every door is off: give at least one of them a port')
  } catch (error) {
    await Promise.all([...doors.values()].map((door) => door.close()))
    throw error
  }
  return doors
}

/** The context with the connections that each door may take. */
function sharedContext(
  context: DoorContext,
  doors: readonly DoorName[],
  { areConnectionsStated: isStated = true }: Partial<ShareSettings>,
): (door: DoorName) => DoorContext {
  const { limits, logger } = context
  const { connectionsMax } = limits
  const files = { openFilesMax: openFilesMax(), openFiles: openFiles() }
  const shares = connectionShares({ doors, connectionsMax, isStated, ...files })
  if (shares.notice !== undefined) logger[shares.notice.level](shares.notice.text)
  return (door) => ({
    ...context,
    limits: { ...limits, connectionsMax: shares.connectionsMax.get(door)! },
    descriptorsMax: shares.descriptorsMax,
  })
}
