/** A store with visibility labels: users see cells by the labels that they have. HBase: the VisibilityController. */

import { HBaseError } from '../../../model/errors.ts'
import { LABELS_DESCRIPTOR, LABELS_TABLE, SYSTEM_LABEL } from '../../../model/label-rows.ts'
import type { TableName } from '../../../model/table-name.ts'
import { withFacets, withMethods } from '../../../store/decorate.ts'
import { intercepted } from '../../../store/interceptors.ts'
import type { Store } from '../../../store/store.ts'
import type { AdvertisedStore } from '../../catalog/advertised.ts'
import type { Subjects } from '../access/permissions/subject.ts'
import { type ChangeCount, CurrentContent } from '../own-tables/current-content.ts'
import { makeOwnTable } from '../own-tables/made-table.ts'
import { noticedChanges } from '../own-tables/noticed-changes.ts'
import { DEFAULT_LABEL_SETTINGS, type LabelSettings } from './label-settings.ts'
import { labelledChanges } from './labelled-changes.ts'
import { labelledRows } from './labelled-rows.ts'
import { LabelsTable } from './labels-table.ts'
import { StoredLabels } from './stored-labels.ts'

export interface LabelsConfig {
  readonly subjects: Subjects
  readonly settings?: LabelSettings
  /** See StoredLabelsParts. */
  readonly hasPermissions?: boolean
  /** Counts changes of labels, where other threads have to know of them. */
  readonly changes?: ChangeCount | undefined
}

/**
 * `keeper`: the same store for the server's own writes, also where clients may not write. Its tombstones must obey labels. A
 * cluster is returned as it is: its own controller decides, and the gateway passes on the attributes of requests.
 */
export async function withVisibilityLabels(
  store: AdvertisedStore,
  keeper: Store,
  { subjects, settings = DEFAULT_LABEL_SETTINGS, hasPermissions = false, changes }: LabelsConfig,
): Promise<AdvertisedStore> {
  if (store.catalog.hasSystemTables) return store
  await makeOwnTable(keeper.catalog, LABELS_DESCRIPTOR)
  const table = new LabelsTable(keeper)
  const book = await table.read()
  if (book.ordinalOf(SYSTEM_LABEL) === undefined) await table.addSystemLabel()
  const current = new CurrentContent(() => table.read(), { changes })
  await current.get()
  const changed = (): void => current.changed()
  const { rows, catalog, upkeep } = intercepted(store, noticedChanges(LABELS_TABLE, changed))
  return withFacets(store, {
    rows: labelledRows({ rows, subjects, current, settings }),
    catalog: withMethods(catalog, {
      modifyTable: async (descriptor, call) => {
        checkOther(descriptor.name, 'alter')
        return catalog.modifyTable(descriptor, call)
      },
      disableTable: async (name, call) => {
        checkOther(name, 'disable')
        return catalog.disableTable(name, call)
      },
    }),
    upkeep: {
      ...upkeep,
      ...(upkeep.changes && {
        changes: withMethods(
          upkeep.changes,
          labelledChanges(upkeep.changes, { subjects, current, settings }),
        ),
      }),
      labels: new StoredLabels({ table, current, subjects, hasPermissions }),
    },
  })
}

function checkOther(table: TableName, change: string): void {
  if (table !== LABELS_TABLE) return
  const javaClass = 'org.apache.hadoop.hbase.constraint.ConstraintException'
  throw new HBaseError('DO_NOT_RETRY', `Cannot ${change} ${LABELS_TABLE}`, { javaClass })
}
