/** All targets of `npm run fuzz`. A new one is a file beside this one, and a line here or in made-targets.ts. */

import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { CANARIES } from './canaries.ts'
import { restDoor, rpcDoor, thriftDoor, zooKeeperDoor } from './doors.ts'
import { filterJson, filterProtobuf, filterString } from './filters.ts'
import { MADE_TARGETS } from './made-targets.ts'
import { restJson } from './rest-json.ts'
import { restProtobuf } from './rest-protobuf.ts'
import { restUrl } from './rest-url.ts'
import { restXml } from './rest-xml.ts'
import { rpcDoorLogin } from './rpc-door-login.ts'
import { thriftBinary, thriftCompact } from './thrift.ts'
import { turns } from './turns.ts'

/** Doors, which inputs reach through sockets. */
export const DOORS: readonly FuzzTarget[] = [restDoor, thriftDoor, zooKeeperDoor, rpcDoor, rpcDoorLogin]

export const TARGETS: readonly FuzzTarget[] = [
  restJson,
  restXml,
  restProtobuf,
  restUrl,
  thriftBinary,
  thriftCompact,
  filterString,
  filterJson,
  filterProtobuf,
  ...MADE_TARGETS,
  ...DOORS,
]

/** Run only where they are named: they measure time, which other work on the machine lengthens. */
const BY_NAME: readonly FuzzTarget[] = [turns]

/** Throws where there is none. Canaries are found too. */
export function targetNamed(name: string): FuzzTarget {
  const target = [...TARGETS, ...BY_NAME, ...CANARIES].find((each) => each.name === name)
  if (target !== undefined) return target
  throw new Error(
    `no target ${name}: there are ${[...TARGETS, ...BY_NAME].map((each) => each.name).join(', ')}`,
  )
}
