/**
 * The ways in which a family's store finds its files, by HBase's setting `hbase.store.file-tracker.impl`. While files move from one way to
 * the other, `...migration.src.impl` and `...migration.dst.impl` count. A family's own settings come before the table's. HBase:
 * StoreFileTrackerFactory, StoreFileTrackerValidationUtils. A store of ours has one way for all its files: there the settings are kept and
 * checked, and change nothing else.
 */

import { type FamilyDescriptor, findFamily, type TableDescriptor } from './descriptor.ts'
import { HBaseError } from './errors.ts'
import type { TableName } from './table-name.ts'

export const FILE_TRACKER = 'hbase.store.file-tracker.impl'
const MIGRATION = 'MIGRATION'
const SOURCE = 'hbase.store.file-tracker.migration.src.impl'
const DESTINATION = 'hbase.store.file-tracker.migration.dst.impl'
const PACKAGE = 'org.apache.hadoop.hbase.regionserver.storefiletracker.'
const NAMES: ReadonlyMap<string, string> = new Map([
  [`${PACKAGE}DefaultStoreFileTracker`, 'DEFAULT'],
  [`${PACKAGE}FileBasedStoreFileTracker`, 'FILE'],
  [`${PACKAGE}MigrationStoreFileTracker`, MIGRATION],
])
const KNOWN: ReadonlySet<string> = new Set(NAMES.values())

/** The settings of one store: undefined for one that is not there. */
type Setting = (key: string) => string | undefined

function settingsOf(table: TableDescriptor, family: FamilyDescriptor | undefined): Setting {
  return (key) => family?.attributes.get(key) ?? family?.configuration?.get(key) ?? table.attributes.get(key)
}

/** The short name of a tracker that is named by that or by its class; another text as it is. */
function nameOf(stated: string): string {
  const upper = stated.toUpperCase()
  return KNOWN.has(upper) ? upper : (NAMES.get(stated) ?? stated)
}

function trackerOf(setting: Setting): string {
  return nameOf(setting(FILE_TRACKER) ?? 'DEFAULT')
}

function migrationEnd(setting: Setting, key: string): string {
  const stated = setting(key)
  if (stated === undefined) throw refusal(`config ${key} is not set`)
  return nameOf(stated)
}

/** Throws DO_NOT_RETRY for a tracker that is not known, or that is only a step between two. HBase: checkForCreateTable. */
export function checkNewTrackers(table: TableDescriptor): void {
  for (const family of table.families) checkNewFamily(table, family)
}

function checkNewFamily(table: TableDescriptor, family: FamilyDescriptor): void {
  const tracker = trackerOf(settingsOf(table, family))
  checkIsKnown(tracker)
  if (tracker !== MIGRATION) return
  throw refusal(`Should not use MIGRATION as store file tracker for new ${placeOf(table, family)}`)
}

/** Throws DO_NOT_RETRY for a step that the present trackers do not allow. HBase: checkForModifyTable. */
export function checkChangedTrackers(before: TableDescriptor, after: TableDescriptor): void {
  for (const family of after.families) {
    const old = findFamily(before, family.name)
    if (old === undefined) checkNewFamily(after, family)
    else checkStep(settingsOf(before, old), settingsOf(after, family), placeOf(after, family))
  }
}

function checkStep(before: Setting, after: Setting, place: string): void {
  const [present, wanted] = [trackerOf(before), trackerOf(after)]
  if (present === MIGRATION) {
    checkMigrating(before, after, place)
    return
  }
  if (present === wanted) return
  checkIsKnown(wanted)
  if (wanted !== MIGRATION)
    throw refusal(`Should change to MIGRATION first when migrating from ${present} for ${place}`)
  const source = migrationEnd(after, SOURCE)
  if (source !== present)
    throw refusal(
      `Should use src tracker ${present} first but got ${source} when migrating from ${present} for ${place}`,
    )
  const destination = migrationEnd(after, DESTINATION)
  checkIsKnown(destination)
  if (destination === source) throw refusal(`The src tracker and dst tracker are both ${source} for ${place}`)
}

/** A migration goes on as it began, or ends at its destination. */
function checkMigrating(before: Setting, after: Setting, place: string): void {
  const wanted = trackerOf(after)
  const destination = migrationEnd(before, DESTINATION)
  if (wanted !== MIGRATION) {
    if (wanted === destination) return
    throw refusal(`Should migrate tracker to ${destination} but got ${wanted} for ${place}`)
  }
  for (const [end, key] of [
    ['src', SOURCE],
    ['dst', DESTINATION],
  ] as const) {
    const [old, other] = [migrationEnd(before, key), migrationEnd(after, key)]
    if (old === other) continue
    throw refusal(`The ${end} tracker has been changed from ${old} to ${other} for ${place}`)
  }
}

/**
 * The descriptor of the next step from the present tracker to the stated one, of a family or, without a family, of the table. The steps:
 * end a migration that goes on, begin one, end that. Undefined if the stated tracker is reached. Throws NO_SUCH_COLUMN_FAMILY, and
 * DO_NOT_RETRY for MIGRATION and unknown trackers. HBase: ModifyStoreFileTrackerProcedure.
 */
export function trackerStep(
  table: TableDescriptor,
  familyName: Buffer | undefined,
  stated: string,
): TableDescriptor | undefined {
  const wanted = nameOf(stated)
  checkIsKnown(wanted)
  if (wanted === MIGRATION) throw refusal('Do not need to transfer to MIGRATION')
  const family = familyName && findFamily(table, familyName)
  if (familyName !== undefined && family === undefined)
    throw new HBaseError(
      'NO_SUCH_COLUMN_FAMILY',
      `${familyName.toString()} does not exist for table ${table.name}`,
    )
  const setting = settingsOf(table, family)
  const present = trackerOf(setting)
  if (present === wanted) return undefined
  return withSettings(
    table,
    family,
    present === MIGRATION
      ? [[FILE_TRACKER, migrationEnd(setting, DESTINATION)]]
      : [
          [FILE_TRACKER, MIGRATION],
          [SOURCE, present],
          [DESTINATION, wanted],
        ],
  )
}

/** Steps from any tracker to any other, where no other client changes it. */
export const TRACKER_STEPS_MAX = 3

/** DO_NOT_RETRY: other clients set another tracker between the steps. */
export function trackerContended(table: TableName): HBaseError {
  return refusal(
    `The file tracker of table ${table} was not changed in ${TRACKER_STEPS_MAX} steps: other clients change it at the same time. Ask again once they are done.`,
  )
}

/** The table with these settings alone of the three; those of a family are in its configuration. */
function withSettings(
  table: TableDescriptor,
  family: FamilyDescriptor | undefined,
  settings: readonly (readonly [string, string])[],
): TableDescriptor {
  const changed = (present: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> => {
    const own = new Map(present)
    for (const key of [FILE_TRACKER, SOURCE, DESTINATION]) own.delete(key)
    for (const [key, value] of settings) own.set(key, value)
    return own
  }
  if (family === undefined) return { ...table, attributes: changed(table.attributes) }
  const families = table.families.map((each) =>
    each === family ? { ...each, configuration: changed(each.configuration) } : each,
  )
  return { ...table, families }
}

/** The table with that tracker alone, of all its families. Throws DO_NOT_RETRY for an unknown one. HBase: CloneSnapshotProcedure. */
export function withTracker(table: TableDescriptor, stated: string): TableDescriptor {
  if (!KNOWN.has(nameOf(stated))) throw noTrackerClass(stated)
  const families = table.families.map((family): FamilyDescriptor => {
    const attributes = new Map(family.attributes)
    attributes.delete(FILE_TRACKER)
    if (family.configuration === undefined) return { ...family, attributes }
    const configuration = new Map(family.configuration)
    configuration.delete(FILE_TRACKER)
    return { ...family, attributes, configuration }
  })
  return { ...table, attributes: new Map(table.attributes).set(FILE_TRACKER, stated), families }
}

const NO_CLASS =
  'java.lang.RuntimeException: java.lang.RuntimeException: java.lang.ClassNotFoundException: Class '

/** In the words of Java's search for a class, with which HBase refuses it. */
function noTrackerClass(stated: string): HBaseError {
  const javaClass = 'java.io.IOException'
  return new HBaseError('DO_NOT_RETRY', `${NO_CLASS}${stated} not found`, { javaClass })
}

/** True where the tracker that a clone was to have is not known; a cluster says so by an IOException. */
export function isNoTrackerClass({ message }: HBaseError): boolean {
  return message.startsWith(NO_CLASS)
}

/** HBase looks for a class of that name, and its clients then ask for minutes. */
function checkIsKnown(tracker: string): void {
  if (KNOWN.has(tracker)) return
  throw refusal(`Class ${tracker} not found: ${FILE_TRACKER} is DEFAULT, FILE or MIGRATION`)
}

function placeOf(table: TableDescriptor, family: FamilyDescriptor): string {
  return `family ${family.name.toString()} of table ${table.name}`
}

function refusal(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message)
}
