// Links to the next page of a list and back to the first.
import { linkTo } from '../parts/links.tsx'

export function Pager({
  path,
  query,
  next,
  shown,
}: {
  path: string
  query: Record<string, string>
  next?: string
  shown: number
}) {
  const { after, ...filter } = query
  if (after === undefined && next === undefined) return null
  return (
    <nav class="pager" aria-label="Pages">
      {after !== undefined && <a href={linkTo(path, filter)}>Newest</a>}
      {next !== undefined && (
        <a href={linkTo(path, { ...filter, after: next })}>{shown === 0 ? 'Search further back' : 'Older'}</a>
      )}
    </nav>
  )
}
