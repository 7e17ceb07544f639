// The way to the next page of a list, and back to its newest.
import { linkTo } from './links.ts'

/** `next` is what the API gave. */
export function Pager({
  path,
  query,
  next,
  shown,
}: {
  path: string
  query: Record<string, string>
  next?: string | undefined
  shown: number
}) {
  const { after, ...filter } = query
  if (after === undefined && next === undefined) return null
  return (
    <nav class="pager" aria-label="Pages">
      {after !== undefined && <a href={linkTo(path, filter)}>Newest</a>}
      {next !== undefined && <a href={linkTo(path, { ...filter, after: next })}>{shown === 0 ? 'Look further back' : 'Older'}</a>}
    </nav>
  )
}
