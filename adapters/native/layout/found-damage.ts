/**
 * The file in which `tidegate check` leaves the damage that it has found in the folder of a server: a JSON object a line. The server takes and removes it
 * within seconds.
 */

const NAME = 'check.found'

export interface FoundDamage {
  /** Below the store's directory. */
  readonly path: string
  /** Undefined: of the whole file. */
  readonly offset?: number | undefined
  readonly message: string
}

export function foundDamagePath(directory: string): string {
  return `${directory}/${NAME}`
}

export function isFoundDamage(name: string): boolean {
  return name === NAME
}

export function encodeFoundDamage(found: readonly FoundDamage[]): Buffer {
  return Buffer.from(found.map((each) => `${JSON.stringify(each)}\n`).join(''))
}

/** Leaves out what is no line of encodeFoundDamage: any program may have written the file. */
export function decodeFoundDamage(bytes: Buffer): FoundDamage[] {
  return bytes
    .toString()
    .split('\n')
    .flatMap((line) => {
      try {
        const value = JSON.parse(line) as Partial<Record<keyof FoundDamage, unknown>> | null
        const { path, offset, message } = value ?? {}
        if (typeof path !== 'string' || typeof message !== 'string') return []
        return [{ path, message, offset: Number.isSafeInteger(offset) ? (offset as number) : undefined }]
      } catch {
        return []
      }
    })
}
