// Pagination headers.

/** GitLab counts no further. */
const largestTotal = 10_000

/** Omits totals and the last page above 10,000; headers of missing pages are empty. */
export function linkHeaders(
  url: string,
  { page, per_page, total }: { page: number; per_page: number; total: number },
): Record<string, string> {
  const pages = Math.max(1, Math.ceil(total / per_page))
  const next = page < pages ? page + 1 : undefined
  const prev = page > 1 ? Math.min(page - 1, pages) : undefined
  const link = (relation: string, number: number | undefined) => {
    if (number === undefined) return []
    const target = new URL(url)
    target.searchParams.set('page', String(number))
    target.searchParams.set('per_page', String(per_page))
    return [`<${target.href}>; rel="${relation}"`]
  }
  const counted = total <= largestTotal
  const last = counted ? pages : undefined
  return {
    link: [...link('prev', prev), ...link('next', next), ...link('first', 1), ...link('last', last)].join(', '),
    'x-page': String(page),
    'x-per-page': String(per_page),
    'x-next-page': String(next ?? ''),
    'x-prev-page': String(prev ?? ''),
    ...(counted && { 'x-total': String(total), 'x-total-pages': String(pages) }),
  }
}
