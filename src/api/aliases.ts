// Other names of parameters and fields in other versions of the service.

type Values = Readonly<Record<string, unknown>>

/** Parameters with two names. Both are sent: a service ignores the unknown one. */
const parameters: readonly (readonly [string, string])[] = [
  ['merge_when_pipeline_succeeds', 'auto_merge'],
  ['wiki_events', 'wiki_page_events'],
  ['printing_merge_request_link_enabled', 'printing_merge_requests_link_enabled'],
]

/** The contract's name of a field, and the name that a service may send. */
const fields: readonly (readonly [string, string])[] = [
  ['approvals_missing', 'approvals_left'],
  ['approvals_left', 'approvals_missing'],
  ['wiki_page_events', 'wiki_events'],
  ['printing_merge_requests_link_enabled', 'printing_merge_request_link_enabled'],
]

/** Pairs of names for one parameter with different values. */
export function contradictions(params: Values): (readonly [string, string])[] {
  return parameters.filter(([a, b]) => params[a] !== undefined && params[b] !== undefined && params[a] !== params[b])
}

/** A copy of the parameters under all their names. */
export function underAllNames(params: Values): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...params }
  for (const [a, b] of parameters) {
    const value = params[a] ?? params[b]
    if (value !== undefined) filled[a] = filled[b] = value
  }
  return filled
}

/** Adds the contract's field names to an object or to each object of a list; changes `body`. */
export function fillContractNames(body: unknown): void {
  for (const entry of Array.isArray(body) ? body : [body]) {
    if (typeof entry !== 'object' || entry === null) continue
    const record = entry as Record<string, unknown>
    const missing = fields.filter(
      ([name, other]) => (record[name] ?? null) === null && (record[other] ?? null) !== null,
    )
    for (const [name, other] of missing) record[name] = record[other]
  }
}
