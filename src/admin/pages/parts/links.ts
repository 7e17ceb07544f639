// Addresses of our own pages.

/** A page of ours with its parameters. */
export function linkTo(path: string, query: Record<string, string> = {}): string {
  const text = new URLSearchParams(query).toString()
  return `/admin${path}${text === '' ? '' : `?${text}`}`
}

/** `/deliveries/{id}` of something: ids may be any text. */
export const pathTo = (...parts: (string | number)[]) => parts.map((each) => `/${encodeURIComponent(each)}`).join('')
