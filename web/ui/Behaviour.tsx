import { ChakraProvider, createSystem } from '@chakra-ui/react';
import { Outlet } from 'react-router';

// Chakra is here for what its parts do: focus, keys, roles. How they look is in CSS modules, so
// the system needs no tokens, recipes or reset (docs/decisions/0005-web.md).
const system = createSystem({ preflight: false });

/** Around the signed-in screens, the only ones that use Chakra's parts and load it. */
export function Behaviour() {
  return (
    <ChakraProvider value={system}>
      <Outlet />
    </ChakraProvider>
  );
}
