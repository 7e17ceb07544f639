// The name of an issue as the journal stores it: that of a confidential issue has none of its texts.
import type { MergeRequestName } from '../../journal/types.ts'

/** Undefined if everybody may read the issue, and its title or address is unknown. */
export function issueName(issue: {
  title?: unknown
  url?: unknown
  confidential?: unknown
}): MergeRequestName | undefined {
  const { title, url, confidential } = issue
  // Fails closed: an issue that does not say is confidential. Also without an address: it replaces an earlier title.
  if (confidential !== false) return { title: 'a confidential issue', url: typeof url === 'string' ? url : '' }
  return typeof title === 'string' && typeof url === 'string' ? { title, url } : undefined
}
