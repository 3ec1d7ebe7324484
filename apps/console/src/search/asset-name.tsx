import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.js';
import { quoted } from './criteria-tokens.js';
import { searchAssets } from './search-assets.js';

/** An asset by its name and id; by the id alone until the name is read, or where the library does not have it any more. */
export function AssetName({ id }: { readonly id: string }) {
  const { carbon, scopes } = useSession();
  const { data: name } = useQuery({
    queryKey: ['asset name', id],
    queryFn: async ({ signal }) => {
      const kind = id.startsWith('pool_') ? 'pools' : 'projects';
      const search = { kind, criteria: `id = ${quoted(id)}`, text: '', sort: '' } as const;
      const { items } = await searchAssets(carbon, search, { fields: ['name'], limit: 1 }, signal).page();
      return items[0]?.name ?? null;
    },
    enabled: scopes?.has('assets:read') ?? false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <span>
      {name && `${name} `}
      <code>{id}</code>
    </span>
  );
}
