import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'

/** By user, or group behind an `@`, letters of RWXCA. */
export type Acl = Readonly<Record<string, string>>
const LETTERS = 'RWXCA'

/** UsersAndPermissions, as HBase's client makes them of global permissions. */
export function aclBytes(acl: Acl): Buffer {
  const writer = new MessageWriter()
  for (const [user, letters] of Object.entries(acl)) {
    const ofUser = writer.begin(1)
    writer.string(1, user)
    const permission = writer.begin(2)
    writer.uint32(1, 1)
    const global = writer.begin(2)
    for (const letter of letters) writer.uint32(1, LETTERS.indexOf(letter))
    writer.end(global)
    writer.end(permission)
    writer.end(ofUser)
  }
  return Buffer.from(writer.take())
}
