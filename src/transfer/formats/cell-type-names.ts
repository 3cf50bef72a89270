import { CellType } from '../../model/cell.ts'

/** The types of cells by HBase's names. */
const NAMES: readonly (readonly [type: number, name: string])[] = [
  [CellType.Put, 'Put'],
  [CellType.Delete, 'Delete'],
  [CellType.DeleteFamilyVersion, 'DeleteFamilyVersion'],
  [CellType.DeleteColumn, 'DeleteColumn'],
  [CellType.DeleteFamily, 'DeleteFamily'],
]

export function typeName(type: number): string {
  return NAMES.find(([each]) => each === type)?.[1] ?? String(type)
}

/** Undefined for a name of no type. */
export function typeNamed(name: string): number | undefined {
  return NAMES.find(([, each]) => each === name)?.[0]
}
