import '@fontsource-variable/space-grotesk/index.css';
import './ui/global.css';

// The bar in index.html is painted before the app is run, whose running would hold it up.
requestAnimationFrame(() => {
  setTimeout(() => void import('./main.tsx'));
});
