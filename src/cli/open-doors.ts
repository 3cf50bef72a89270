import { type RestDoorOptions, startRestDoor } from '../doors/rest/rest-door.ts'
import { openThriftServices } from '../doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../doors/thrift/thrift-door.ts'
import { startWebDoor } from '../doors/web/web-door.ts'
import { startZooKeeperDoor } from '../doors/zookeeper/zookeeper-door.ts'
import type { Door, DoorAddress, DoorContext } from '../gateway/door.ts'
import { readOnly } from '../gateway/read-only.ts'
import { type AdvertiseSettings, DEFAULT_ZNODE_PARENT } from './advertise-options.ts'
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
  settings: DoorSettings,
) => Promise<Door>
type RestSettings = RestDoorOptions & Partial<Pick<ServeSettings, 'restReadOnly'>>
type DoorSettings = RestSettings & Partial<AdvertiseSettings>

/** A new door is a folder under doors/ and a line here. */
const STARTERS: Partial<Readonly<Record<DoorName, StartDoor>>> = {
  rest: (context, address, _, settings) => {
    const store = settings.restReadOnly === true ? readOnly(context.store) : context.store
    return startRestDoor({ ...context, store }, address, settings)
  },
  thrift: (context, address) => startThriftDoor(context, address, openThriftServices(context)),
  zookeeper: (context, address, doors, { znodeParent = DEFAULT_ZNODE_PARENT }) =>
    startZooKeeperDoor(context, address, {
      znodeParent,
      infoPort: () => doors.get('web')?.port ?? 0,
      version: packageVersion(),
    }),
  web: (context, address, doors) => startWebDoor(context, address, { doors, version: packageVersion() }),
}

/** Opens every door that is not off. If one cannot be opened, closes the others and throws a StartError. */
export async function openDoors(
  context: DoorContext,
  settings: Pick<ServeSettings, 'host' | 'ports'> & DoorSettings,
  nameOf: NameSetting = (setting) => `--${setting}`,
): Promise<Doors> {
  const { host, ports } = settings
  const doors = new Map<DoorName, Door>()
  try {
    for (const name of DOOR_NAMES) {
      const start = STARTERS[name]
      const port = ports[name]
      if (start === undefined || port === 'off') continue
      try {
        const door = await start(context, { host, port }, doors, settings)
        doors.set(name, door)
        if (name === 'rpc') context.server.port = settings.advertise?.port ?? door.port
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
