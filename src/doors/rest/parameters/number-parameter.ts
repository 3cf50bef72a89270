import { Refusal } from '../http/errors.ts'

/**
 * A number of the query; `otherwise` where the parameter is missing or empty.
 * QUIRK rest-scan-json-star-limit-x: text that is not a number is a 404, since JAX-RS then finds no matching resource.
 */
export function numberParameter<T>(
  query: URLSearchParams,
  name: string,
  otherwise: T,
  parse: (text: string) => T,
): T {
  const text = query.get(name)
  if (!text) return otherwise
  try {
    return parse(text)
  } catch {
    throw new Refusal(404, `${name} must be a number, not "${text}"`)
  }
}
