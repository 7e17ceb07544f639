// Reads where the next page of a list is: the Link header, else x-next-page (hosting-service.md §3.5).
import { wholeNumber } from './retry-after.ts'

export interface NextPage {
  /** As the Link header gives it: not yet known to be on the configured host. */
  link?: string | undefined
  number?: number | undefined
  /** The service says something about pages at all; if it does and names none, the list ends here. */
  told: boolean
}

/** Of an answer's headers; never throws. */
export function readNextPage(headers: Headers): NextPage {
  const link = headers.get('link')
  const nextHeader = headers.get('x-next-page')
  const next = link === null ? undefined : findNext(link)
  return {
    link: next,
    number: wholeNumber(nextHeader) ?? (next === undefined ? undefined : pageOf(next)),
    told: link !== null || nextHeader !== null,
  }
}

function findNext(header: string): string | undefined {
  for (const [, url, parameters] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?next\b/i.test(parameters ?? '')) return url
  }
  return undefined
}

function pageOf(link: string): number | undefined {
  const base = 'http://base.invalid'
  return URL.canParse(link, base) ? wholeNumber(new URL(link, base).searchParams.get('page')) : undefined
}
