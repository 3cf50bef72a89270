import { CellType } from '../../model/cell.ts'

/** The types of cells and HBase's names for them. */
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

/** The type of that name; undefined for an unknown name. */
export function typeNamed(name: string): number | undefined {
  return NAMES.find(([, each]) => each === name)?.[0]
}
