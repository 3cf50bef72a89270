import type { Sample } from '../../../model/metric.ts'

/** Counts clients whose certificate was refused or missing, by door and by OpenSSL's code. These codes are a closed list. */
export class CertificateRefusals {
  readonly #counts = new Map<string, Sample & { value: number }>()

  refused(door: string, reason: string): void {
    const key = `${door} ${reason}`
    const counted = this.#counts.get(key)
    if (counted === undefined) this.#counts.set(key, { labels: { door, reason }, value: 1 })
    else counted.value++
  }

  get samples(): readonly Sample[] {
    return [...this.#counts.values()]
  }
}
