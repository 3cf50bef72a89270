/** The permissions of a cell, as clients send them with its mutation and as its tag has them. HBase: UsersAndPermissions. */

import { ACTIONS, type Action } from '../../model/permission.ts'
import { MessageReader } from './message-reader.ts'

/** The fields of AccessControl.proto. PERSISTED: never renumber. */
const FIELD = {
  userPermissions: 1,
  user: 1,
  permission: 2,
  global: 2,
  namespace: 3,
  table: 4,
  actionOfGlobal: 1,
  actionOfNamespace: 2,
  actionOfTable: 4,
} as const

/** Throws MalformedMessage for other bytes. A name of a group begins with `@`; a user may come more than once. */
export function readCellPermissions(bytes: Buffer): (readonly [user: string, actions: readonly Action[]])[] {
  const found: (readonly [string, readonly Action[]])[] = []
  const all = new MessageReader(bytes)
  while (all.next()) {
    if (all.field !== FIELD.userPermissions) {
      all.skip()
      continue
    }
    const ofUser = all.message()
    let user = ''
    const actions: Action[] = []
    while (ofUser.next()) {
      if (ofUser.field === FIELD.user) user = ofUser.string()
      else if (ofUser.field === FIELD.permission) addActions(ofUser.message(), actions)
      else ofUser.skip()
    }
    found.push([user, actions])
  }
  return found
}

/** A permission of each kind counts as one of a cell. HBase: Permission.implies. */
function addActions(permission: MessageReader, into: Action[]): void {
  while (permission.next()) {
    if (permission.field === FIELD.global) addOwnActions(permission.message(), FIELD.actionOfGlobal, into)
    else if (permission.field === FIELD.namespace)
      addOwnActions(permission.message(), FIELD.actionOfNamespace, into)
    else if (permission.field === FIELD.table) addOwnActions(permission.message(), FIELD.actionOfTable, into)
    else permission.skip()
  }
}

function addOwnActions(reader: MessageReader, field: number, into: Action[]): void {
  while (reader.next()) {
    if (reader.field !== field) {
      reader.skip()
      continue
    }
    const action = ACTIONS[reader.uint32()]
    if (action !== undefined) into.push(action)
  }
}
